"""The commands of `lith wiki`, one file each, like those beside this package."""
