/**
 * Who is connected to what: VNC and the console have one viewer at a time, of USB there are four slots. Viewers
 * that ask to share come beside: they end nobody, nobody ends them, and of the console the last output of the guest
 * comes first for them.
 */
import type { Route } from './route.ts';

type StreamRoute = Extract<Route, { kind: 'stream' }>;

/** Ends a connection. */
export interface Session {
  close(why: string): void;
}

const USB_SLOTS = 4;
/** Of one console or one screen. Each costs this process memory and connections, and it serves all guests of a node. */
export const MAX_SHARED = 32;

export type Admission =
  | { readonly kind: 'refused'; readonly why: string }
  /** Call `enter` with the connection; what it answers, when that has ended. */
  | {
      readonly kind: 'admitted';
      readonly target: string;
      readonly scrollback: boolean;
      enter(session: Session): () => void;
    };

export class Sessions {
  readonly #open = new Map<string, Session>();
  /** How many share each; those without any are not in it. */
  readonly #shared = new Map<string, number>();

  /**
   * `preserveSession=true`: a viewer of VNC who is there already stays, and the new one is refused.
   * `share=true`: the console or the screen is shared with whoever else looks.
   */
  admit({ verb, namespace, name }: StreamRoute, query: URLSearchParams): Admission {
    const vmi = `${namespace}/${name}`;
    switch (verb) {
      case 'console':
        if (query.get('share') === 'true') return this.#beside('serial0', `${vmi}/console`, true);
        return this.#admitted('serial0', `${vmi}/console`);
      case 'vnc': {
        const key = `${vmi}/vnc`;
        if (query.get('share') === 'true') return this.#beside('vnc', key, false);
        if (query.get('preserveSession') === 'true' && this.#open.has(key))
          return { kind: 'refused', why: 'Active VNC connection. Request denied.' };
        return this.#admitted('vnc', key);
      }
      case 'usbredir': {
        const slot = Array.from({ length: USB_SLOTS }, (_, i) => i).find(
          (i) => !this.#open.has(`${vmi}/usb${i}`),
        );
        if (slot === undefined)
          return { kind: 'refused', why: `all ${USB_SLOTS} slots for USB redirection are in use` };
        return this.#admitted(`usbredir${slot}`, `${vmi}/usb${slot}`);
      }
    }
  }

  #beside(target: string, key: string, scrollback: boolean): Admission {
    const others = this.#shared.get(key) ?? 0;
    if (others >= MAX_SHARED)
      return { kind: 'refused', why: `${MAX_SHARED} viewers share it already: try again when one has left` };
    return {
      kind: 'admitted',
      target,
      scrollback,
      enter: () => {
        this.#shared.set(key, (this.#shared.get(key) ?? 0) + 1);
        let isHere = true;
        return () => {
          if (!isHere) return;
          isHere = false;
          const left = (this.#shared.get(key) ?? 1) - 1;
          if (left > 0) this.#shared.set(key, left);
          else this.#shared.delete(key);
        };
      },
    };
  }

  #admitted(target: string, key: string): Admission {
    return {
      kind: 'admitted',
      target,
      scrollback: false,
      enter: (session) => this.#enter(key, session),
    };
  }

  #enter(key: string, session: Session): () => void {
    this.#open.get(key)?.close('another client has connected');
    this.#open.set(key, session);
    return () => {
      if (this.#open.get(key) === session) this.#open.delete(key);
    };
  }
}
