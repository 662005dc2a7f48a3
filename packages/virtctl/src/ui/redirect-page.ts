/**
 * A file that leads the browser to the page. The page's address holds a key, and the arguments of a program can be read
 * by every user of the machine: a browser is started with the name of this file, which its owner alone can read.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface RedirectPage extends Disposable {
  /** What the browser is started with. */
  readonly url: string;
}

/** `directory`: the user's own where there is one (`XDG_RUNTIME_DIR`). Disposing removes the file. */
export function makeRedirectPage(address: string, directory = tmpdir()): RedirectPage {
  const own = mkdtempSync(join(directory, 'podvisor-ui-'));
  const path = join(own, 'open.html');
  const html = `<!doctype html><meta charset="utf-8"><title>Podvisor</title><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">Podvisor</a>\n`;
  writeFileSync(path, html, { mode: 0o600, flag: 'wx' });
  return {
    url: pathToFileURL(path).href,
    [Symbol.dispose]: () => rmSync(own, { recursive: true, force: true }),
  };
}
