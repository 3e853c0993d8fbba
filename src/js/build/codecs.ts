/** Codecs of the full module, by the numbers of the format; the first of them is the default. */
export const codecs = [6, 1, 7, 0];
/** What is said of all others. */
export const absent = 'is no codec of this package: give your own as codecs';
