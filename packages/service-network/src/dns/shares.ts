/** Room that many use: so much in all, and so much of it for one of them, so that none takes it from the others. */
export class Shares {
  readonly #limits: { readonly all: number; readonly each: number };
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(limits: { readonly all: number; readonly each: number }) {
    this.#limits = limits;
  }

  /** Gives a place back when it is called (once); undefined: there is none for this client now. */
  take(client: string): (() => void) | undefined {
    const own = this.#taken.get(client) ?? 0;
    if (own >= this.#limits.each || this.#all >= this.#limits.all) return undefined;
    this.#taken.set(client, own + 1);
    this.#all += 1;
    return () => {
      this.#all -= 1;
      const left = (this.#taken.get(client) ?? 1) - 1;
      if (left === 0) this.#taken.delete(client);
      else this.#taken.set(client, left);
    };
  }
}
