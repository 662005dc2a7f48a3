/** Whole lines out of the pieces in which a watch arrives. */
import { connectionText } from '../texts/common.ts';

/** No object of Kubernetes is larger; a line that is, is no event. */
const MAX_LINE = 8 * 1024 * 1024;

export class Lines {
  #rest = '';

  /** The lines that are complete with this piece. */
  push(piece: string): readonly string[] {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MAX_LINE) throw new Error(connectionText.endlessLine);
    return lines.filter((line) => line !== '');
  }
}
