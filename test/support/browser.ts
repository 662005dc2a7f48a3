/** A real browser without a screen, for the web page. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Browser, chromium, type Page } from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';

export async function startBrowser(): Promise<Browser> {
  // Tests run as root, where Chromium's own sandbox does not.
  return chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-gpu'] });
}

/** A page that fails the test for every script that a policy stopped and every error nobody caught. */
export async function openPage(browser: Browser, address: string): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faults.push(message.text());
  });
  await page.goto(address);
  return { page, faults };
}

/** Asks the page's server as no browser would: names below `.localhost` are for browsers to resolve. */
export async function askPage(
  address: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: Buffer }> {
  const { host, port } = new URL(address);
  const asked = request({ host: '127.0.0.1', port, path, headers: { host, ...headers } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await buffer(response) };
}
