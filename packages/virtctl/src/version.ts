/** The version that all programs of this checkout report. */
export const VERSION = 'v0.1.0';
