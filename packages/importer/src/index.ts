/** Fills a claim with a disk image. A program: nothing is exported to other rooms. */
export { importFile, importStream } from './import.ts';
