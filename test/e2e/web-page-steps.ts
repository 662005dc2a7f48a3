/** Steps of `web-page.test.ts` in which something is lost, moved or changed by another while somebody uses the page. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { resources } from '@podvisor/kube';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { Conversation, type Instance, root } from '../support/instance.ts';

/** Where the pictures of a run are left. */
export const PICTURES = join(root, 'build/pictures');
mkdirSync(PICTURES, { recursive: true });

/** In the browser: all of the screen, as one text. */
export const PIXELS = `document.querySelector('.screen canvas').toDataURL()`;

export interface World {
  readonly instance: Instance;
  readonly browser: Browser;
  readonly page: Page;
  readonly address: string;
}

export const HELLO = { namespace: 'default', name: 'hello' };
const heardIn = (tab: Page) => tab.locator('.xterm-accessibility-tree');

/** Types a line into the serial console of `tab`, where somebody is logged in, and waits for what comes of it. */
export async function ask(tab: Page, line: string, answer: RegExp): Promise<void> {
  await tab.getByText(/^connected/).waitFor({ timeout: 30_000 });
  await tab.locator('.terminal textarea').focus();
  await tab.keyboard.type(`${line}\n`);
  await heardIn(tab).filter({ hasText: answer }).waitFor({ timeout: 30_000 });
}

/** In the browser: the last line of the serial console that has anything. */
const LAST_LINE = `[...document.querySelectorAll('.xterm-accessibility-tree > *')].map((row) => row.textContent.trim()).filter((row) => row !== '').at(-1) ?? ''`;

/** As root of the guest; a busy guest may ask again, or lose what came too early. */
export async function logIn(tab: Page): Promise<void> {
  await tab.locator('.terminal textarea').focus();
  await eventually('somebody is logged in', 90_000, async () => {
    const line = (await tab.evaluate(LAST_LINE)) as string;
    if (line.endsWith('#')) return true;
    await tab.keyboard.type(
      line.endsWith('login:') ? 'root\n' : line.endsWith('Password:') ? 'hello\n' : '\n',
    );
    await tab.waitForTimeout(1_000);
    return undefined;
  });
}

/** Another tab of the same user that looks at `name` of VM hello. */
export async function tabOf({ page, address }: World, name: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(new URL('/#/vm/default/hello', address).toString());
  await tab.getByRole('tab', { name }).click();
  return tab;
}

/** Both still do what they are for: the guest answers on one, and draws what is typed on the other. */
async function bothWork(serial: Page, screen: Page, mark: string): Promise<void> {
  await serial.getByText(/^connected/).waitFor({ timeout: 30_000 });
  await ask(serial, `echo ${mark}-$((40 + 2))`, new RegExp(`${mark}-42`));
  await screen.getByText(/^connected/).waitFor({ timeout: 30_000 });
  const before = await eventually('the screen is drawn', 20_000, async () => {
    const drawn = (await screen.evaluate(PIXELS).catch(() => '')) as string;
    return drawn.length > 1_000 ? drawn : undefined;
  });
  await screen.getByLabel('Text to type into the guest').fill('x');
  await screen.getByRole('button', { name: 'Type' }).click();
  await eventually('what is typed is drawn', 20_000, async () =>
    (await screen.evaluate(PIXELS)) === before ? undefined : true,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Slow enough that somebody can look on. */
const SLOW = {
  apiVersion: 'migrations.kubevirt.io/v1alpha1',
  kind: 'MigrationPolicy',
  metadata: { name: 'slow' },
  spec: {
    bandwidthPerMigration: '16Mi',
    selectors: { virtualMachineInstanceSelector: { app: 'hello' } },
  },
};

export function movingSteps(world: () => World): void {
  let serial: Page;
  let screen: Page;

  test('a VM moves to the other node, and is seen to', async () => {
    const { instance, page, address } = world();
    serial = await tabOf(world(), 'Console');
    screen = await tabOf(world(), 'Screen');
    await bothWork(serial, screen, 'here');
    const policy = join(instance.home, 'slow.json');
    writeFileSync(policy, JSON.stringify(SLOW));
    const applied = await instance.kubectl('apply', '-f', policy);
    assert.equal(applied.code, 0, applied.stderr);
    const nodeOf = async (): Promise<string | undefined> =>
      (await instance.client.get(resources.virtualMachineInstances, HELLO)).status?.nodeName;
    const before = await nodeOf();
    await page.getByRole('button', { name: 'Migrate' }).click();
    await page.goto(new URL('/#/nodes', address).toString());
    const line = page.getByRole('progressbar', { name: 'Migration of hello' });
    const shares = new Set<number>();
    await eventually('the guest is between the nodes, and moves', 60_000, async () => {
      const share = Number(await line.getAttribute('aria-valuenow'));
      const words = (await line.getAttribute('aria-valuetext')) ?? '';
      if (share > 0 && share < 100 && /moved.*left.*\/s/.test(words)) shares.add(share);
      if (shares.size === 2) await page.screenshot({ path: join(PICTURES, 'migration-moves.png') });
      return shares.size > 1 ? true : undefined;
    });
    const row = page.getByRole('row').filter({ has: line });
    await row.filter({ hasText: /Succeeded.*node-\d.*downtime \d+ ms.*moved/ }).waitFor({ timeout: 90_000 });
    assert.equal(await line.getAttribute('aria-valuenow'), '100');
    await page.goto(new URL('/#/migrations', address).toString());
    await row.filter({ hasText: 'Succeeded' }).waitFor();
    await page.screenshot({ path: join(PICTURES, 'migrations.png') });
    assert.notEqual(await nodeOf(), before);
    await page.goto(new URL('/#/vm/default/hello', address).toString());
  });

  test('console and screen have survived the migration, and survive the death of virt-api', async () => {
    const { instance } = world();
    await bothWork(serial, screen, 'moved');
    const sockets: string[] = [];
    for (const tab of [serial, screen]) tab.on('websocket', (socket) => sockets.push(socket.url()));
    await instance.kill('virt-api');
    await eventually('both connect again', 30_000, async () =>
      ['/console', '/vnc'].every((path) => sockets.some((url) => url.includes(path))) ? true : undefined,
    );
    await bothWork(serial, screen, 'alive');
    await Promise.all([serial.close(), screen.close()]);
  });
}

export function troubleSteps(world: () => World): void {
  test('an image that is not there: why, and what to do', async () => {
    const { page, address } = world();
    await page.goto(new URL('/#/new', address).toString());
    await page.getByLabel('Name', { exact: true }).fill('broken');
    await page.getByLabel('Image of its disk').fill('podvisor.local/no-such:1');
    await page.getByRole('button', { name: 'Create' }).click();
    const notice = page.locator('.notice').filter({ hasText: 'What to do:' });
    await notice
      .filter({
        hasText: /Seen: image podvisor\.local\/no-such:1.*containerDisk\.image.*podvisor image list/,
      })
      .waitFor({ timeout: 60_000 });
    await page.locator('.pipeline li.waiting').filter({ hasText: /^5/ }).waitFor();
    await page.screenshot({ path: join(PICTURES, 'why.png') });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no VM broken').waitFor({ timeout: 60_000 });
  });

  test('a VM that another user changed meanwhile: said, and nothing typed is lost', async () => {
    const { instance, page, address } = world();
    await page.goto(new URL('/#/vm/default/hello', address).toString());
    await page.getByRole('tab', { name: 'YAML' }).click();
    const line = page.locator('.cm-line').filter({ hasText: /^\s*cores: 1$/ });
    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2');
    const body = { metadata: { annotations: { 'example.com/by': 'another' } } };
    await instance.client.patch(resources.virtualMachines, HELLO, { type: 'merge', body });
    await page.getByText('The VM has changed since you began').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'Somebody else changed this VM meanwhile' }).waitFor();
    await page
      .locator('.cm-line')
      .filter({ hasText: /^\s*cores: 2$/ })
      .waitFor();
    await page.screenshot({ path: join(PICTURES, 'changed-meanwhile.png') });
    const { spec } = await instance.client.get(resources.virtualMachines, HELLO);
    assert.equal(spec.template.spec?.domain.cpu?.cores, 1, 'nothing of the other is lost either');
    await page.getByRole('button', { name: 'Put my changes on the newest' }).click();
    await page
      .locator('.cm-line')
      .filter({ hasText: /^\s*example\.com\/by: another$/ })
      .waitFor();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('The server would take it.').waitFor();
  });

  test('a token that ends: said, nothing typed is lost, and it goes on with a new one', async () => {
    const { instance, browser } = world();
    const kubectl = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await instance.kubectl(...args);
      assert.equal(code, 0, stderr);
      return stdout.trim();
    };
    const newToken = async (): Promise<string> => {
      await kubectl('create', 'serviceaccount', 'anna');
      return kubectl('create', 'token', 'anna');
    };
    const first = await newToken();
    await kubectl('create', 'rolebinding', 'anna', '--clusterrole=admin', '--serviceaccount=default:anna');
    const tls = join(instance.home, 'page-tls');
    mkdirSync(tls);
    for (const kind of ['crt', 'key'])
      copyFileSync(`${instance.home}/pki/apiserver.${kind}`, `${tls}/server.${kind}`);
    const port = await freePort();
    const program = new Conversation(
      process.execPath,
      [
        join(root, 'dist/virt-ui.mjs'),
        `--listen=127.0.0.1:${port}`,
        `--tls-dir=${tls}`,
        `--api-server-ca=${instance.home}/pki/ca.crt`,
        `--api-server=https://127.0.0.1:${instance.apiPort}`,
      ],
      instance.env,
    );
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    try {
      await program.hear(/listening/);
      const view = await context.newPage();
      await view.goto(`https://127.0.0.1:${port}/#/new`);
      await view.getByLabel('Token').fill(first);
      await view.getByRole('button', { name: 'Log in' }).click();
      await view.getByLabel('Name', { exact: true }).fill('typed-before');
      await view.getByLabel('Memory').fill('160Mi');
      await kubectl('delete', 'serviceaccount', 'anna');
      await view.getByRole('button', { name: 'Create' }).click();
      await view.getByText(/You are not known any more: .* Nothing that you typed is lost/).waitFor();
      // The button is at the end of a long form: what went wrong is seen there, too. Pages scroll by whole pixels.
      await eventually('it is seen', 30_000, async () =>
        (await view.evaluate(
          'document.querySelector(".notice.bad").getBoundingClientRect().bottom > 0 && document.querySelector(".notice.bad").getBoundingClientRect().top > -1',
        )) === true
          ? true
          : undefined,
      );
      await view.screenshot({ path: join(PICTURES, 'token-ended.png') });
      assert.equal(await view.getByLabel('Name', { exact: true }).inputValue(), 'typed-before');
      await view.getByLabel('Token').fill(await newToken());
      await view.getByRole('button', { name: 'Log in' }).click();
      await view.getByText('You are not known any more').waitFor({ state: 'detached' });
      assert.equal(await view.getByLabel('Memory').inputValue(), '160Mi');
      await view.getByRole('button', { name: 'Create' }).click();
      await view.getByRole('heading', { name: /^typed-before/ }).waitFor();
      await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: 'typed-before' });
    } finally {
      await context.close();
      program.end();
      await program.exited(5_000);
    }
  });
}
