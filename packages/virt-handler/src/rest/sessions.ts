/**
 * Who is connected to what: of VNC there is one viewer at a time, of USB there are four slots. The console has
 * as many viewers as like to look, so it is not counted.
 */
import type { Route } from './route.ts';

type StreamRoute = Extract<Route, { kind: 'stream' }>;

/** Ends a connection. */
export interface Session {
  close(): void;
}

const USB_SLOTS = 4;

export type Admission =
  | { readonly kind: 'refused'; readonly why: string }
  /** Call `enter` with the connection; what it answers, when that has ended. */
  | { readonly kind: 'admitted'; readonly target: string; enter(session: Session): () => void };

export class Sessions {
  readonly #open = new Map<string, Session>();

  /** `preserve`: a viewer who is there already stays, and the new one is refused. */
  admit({ verb, namespace, name }: StreamRoute, preserve: boolean): Admission {
    const vmi = `${namespace}/${name}`;
    switch (verb) {
      case 'console':
        return { kind: 'admitted', target: 'serial0', enter: () => () => undefined };
      case 'vnc': {
        const key = `${vmi}/vnc`;
        if (preserve && this.#open.has(key))
          return { kind: 'refused', why: 'Active VNC connection. Request denied.' };
        return { kind: 'admitted', target: 'vnc', enter: (session) => this.#enter(key, session) };
      }
      case 'usbredir': {
        const slot = Array.from({ length: USB_SLOTS }, (_, i) => i).find(
          (i) => !this.#open.has(`${vmi}/usb${i}`),
        );
        if (slot === undefined)
          return { kind: 'refused', why: `all ${USB_SLOTS} slots for USB redirection are in use` };
        return {
          kind: 'admitted',
          target: `usbredir${slot}`,
          enter: (session) => this.#enter(`${vmi}/usb${slot}`, session),
        };
      }
    }
  }

  #enter(key: string, session: Session): () => void {
    this.#open.get(key)?.close();
    this.#open.set(key, session);
    return () => {
      if (this.#open.get(key) === session) this.#open.delete(key);
    };
  }
}
