"""The interfaces of other packages, with the engine of this one."""
