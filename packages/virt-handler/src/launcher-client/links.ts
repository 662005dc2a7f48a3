/** All launchers of this node, by Pod UID. A link exists while its Pod may have something to say. */
import type { Uid } from '@podvisor/base';
import type { LauncherEvent, LinkOptions } from './link.ts';
import { LauncherLink } from './link.ts';

export type LinkMaker = Omit<LinkOptions, 'podUid' | 'onChange' | 'onEvent'>;

export class LauncherLinks implements Disposable {
  readonly #links = new Map<Uid, { readonly link: LauncherLink; readonly key: string }>();
  readonly #base: LinkMaker;
  readonly #onChange: (key: string) => void;
  readonly #onEvent: (key: string, podUid: Uid, event: LauncherEvent) => void;

  constructor(
    base: LinkMaker,
    onChange: (key: string) => void,
    onEvent: (key: string, podUid: Uid, event: LauncherEvent) => void,
  ) {
    this.#base = base;
    this.#onChange = onChange;
    this.#onEvent = onEvent;
  }

  get(podUid: Uid): LauncherLink | undefined {
    return this.#links.get(podUid)?.link;
  }

  /** The link to the Pod's launcher, made now if there is none; `key` names its VMI. */
  ensure(podUid: Uid, key: string): LauncherLink {
    const known = this.#links.get(podUid);
    if (known !== undefined) return known.link;
    const link = new LauncherLink({
      ...this.#base,
      podUid,
      onChange: () => this.#onChange(key),
      onEvent: (event) => this.#onEvent(key, podUid, event),
    });
    this.#links.set(podUid, { link, key });
    return link;
  }

  close(podUid: Uid): void {
    this.#links.get(podUid)?.link.close();
    this.#links.delete(podUid);
  }

  /** Closes every connection; the VMs do not notice. */
  [Symbol.dispose](): void {
    for (const podUid of [...this.#links.keys()]) this.close(podUid);
  }
}
