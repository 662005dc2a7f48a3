/** virt-launcher is a process, started by its Pod: `main.ts` is its entry, and nobody imports it. */
export {};
