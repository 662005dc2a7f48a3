/** The web page in a real browser, against a real home: what a user sees and does on it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { after, before, describe, test } from 'node:test';
import type { UsageHistory } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { askPage, openPage, startBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { Conversation, Instance, root } from '../support/instance.ts';
import {
  ask,
  HELLO,
  logIn,
  movingSteps,
  PICTURES,
  PIXELS,
  tabOf,
  troubleSteps,
  type World,
} from './web-page-steps.ts';

/** In the browser: does the screen show anything but black? */
const IS_DRAWN = `(() => {
  const canvas = document.querySelector('.screen canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value, index) => index % 4 !== 3 && value > 0);
})()`;

/** In the browser: how the screen differs from the picture that the guest's display gives; empty: it does not. */
const IS_AS_THE_GUEST_SAYS = `(async () => {
  const canvas = document.querySelector('.screen canvas');
  const path = '/k8s/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/hello/vnc/screenshot';
  for (let tries = 0; ; tries += 1) {
    const picture = await createImageBitmap(await (await fetch(path)).blob());
    const other = new OffscreenCanvas(picture.width, picture.height);
    other.getContext('2d').drawImage(picture, 0, 0);
    const size = [picture.width, picture.height].join();
    if ([canvas.width, canvas.height].join() !== size) return 'size ' + [canvas.width, canvas.height, size];
    const [a, b] = [canvas, other].map((one) => one.getContext('2d').getImageData(0, 0, picture.width, picture.height).data);
    let differing = 0;
    for (let i = 0; i < a.length; i += 4) if (a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2]) differing += 1;
    // A cursor blinks meanwhile.
    if (differing * 400 < a.length) return '';
    if (tries === 20) return differing + ' pixels';
  }
})()`;

/** Not all the same, so that a byte in the wrong place is seen. */
const IMAGE = Buffer.alloc(48 * 2 ** 20);
for (let i = 0; i < IMAGE.length; i += 4) IMAGE.writeUInt32LE(Math.imul(i, 2_654_435_761) >>> 0, i);

/** A display that says, when somebody has connected, that `text` was copied (RFC 6143). */
function speakVnc(socket: WebSocketRoute, text: string): void {
  const u32 = (value: number): Buffer =>
    Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((byte) => byte & 255));
  const pixels = Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0]);
  const display = Buffer.concat([Buffer.from([0, 8, 0, 8]), pixels, u32(4), Buffer.from('fake')]);
  const copied = Buffer.concat([Buffer.from([3, 0, 0, 0]), u32(text.length), Buffer.from(text, 'latin1')]);
  const answers = [Buffer.from([1, 1]), u32(0), display, copied];
  socket.onMessage(() => {
    const answer = answers.shift();
    if (answer !== undefined) socket.send(answer);
  });
  socket.send(Buffer.from('RFB 003.008\n'));
}

/** In the browser: noVNC looks for a socket's methods at its own class, where those of a mocked one are not. */
const WHOLE_SOCKETS = `for (const [name, one] of Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(WebSocket.prototype))))
  if (!Object.hasOwn(WebSocket.prototype, name)) Object.defineProperty(WebSocket.prototype, name, one);`;

describe('the web page', { concurrency: 1 }, () => {
  let instance: Instance;
  let browser: Browser;
  let server: Conversation;
  let address = '';
  let page: Page;
  let faults: string[];

  before(async () => {
    instance = await Instance.prepare();
    const { code, stdout, stderr } = await instance.up('--nodes', '2', `${root}/examples/hello.yaml`);
    assert.equal(code, 0, `${stdout}${stderr}`);
    browser = await startBrowser();
    server = new Conversation(join(root, 'bin/virtctl'), ['ui', '--no-open'], instance.env);
    address = /http:\S+/.exec(await server.hear(/http:\S+\n/))?.[0] ?? '';
    ({ page, faults } = await openPage(browser, address));
    page.on('dialog', (dialog) => void dialog.accept());
  });
  after(async () => {
    await browser?.close();
    await server?.exited(1_000);
    await instance?.purge();
  });

  const world = (): World => ({ instance, browser, page, address });
  const rowOf = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  const shows = async (name: string, words: RegExp, timeout = 60_000): Promise<void> =>
    rowOf(name).filter({ hasText: words }).first().waitFor({ timeout });

  test('shows the VMs of the home, and keeps no key in the address', async () => {
    await shows('hello', /Running.*node-\d/);
    assert.equal(new URL(page.url()).hash, '#/');
    await page.screenshot({ path: join(PICTURES, 'vms.png') });
  });

  test('the first view is less than 150 KB of compressed script', async () => {
    const names = (await page.evaluate(
      'performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.endsWith(".js"))',
    )) as string[];
    const sizes = await Promise.all(
      names.map(async (name) => gzipSync((await askPage(address, new URL(name).pathname)).body).length),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(names.length > 0 && total < 150_000, `${total} bytes in ${names.join()}`);
  });

  test('the key opens the page once, and nothing answers without a session', async () => {
    const { page: other } = await openPage(browser, address);
    await other.getByText('Run the command again').waitFor();
    const path = '/k8s/api/v1/secrets';
    assert.equal((await askPage(address, path)).status, 401);
    assert.equal((await askPage(address, path, { origin: 'https://evil.example' })).status, 403);
    await other.context().close();
  });

  test('a page of another user of this machine gets nothing of the session, on whatever port it is', async () => {
    const { hostname, port } = new URL(address);
    const cookies: (string | undefined)[] = [];
    const evil = createServer((request, response) => {
      cookies.push(request.headers.cookie);
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>evil</title>');
    });
    evil.listen(0, '127.0.0.1');
    await once(evil, 'listening');
    const own = (evil.address() as AddressInfo).port;
    const view = await page.context().newPage();
    try {
      for (const host of ['127.0.0.1', 'localhost', 'other.localhost']) {
        await view.goto(`http://${host}:${own}/`);
        // What it can do to the page's own port, by address and by a name of its own making.
        for (const target of [`http://127.0.0.1:${port}`, `http://${host}:${port}`]) {
          await view.goto(`http://${host}:${own}/`);
          const answer = await view.goto(`${target}/`);
          assert.equal(answer?.status(), 403, target);
          assert.ok(!(await answer?.text())?.includes(hostname), 'nobody learns the name');
        }
      }
      assert.ok(cookies.length > 0 && cookies.every((cookie) => cookie === undefined), cookies.join());
      // Somebody who knew the name would need this very port, and it is taken on both addresses of the loopback.
      for (const host of ['127.0.0.1', '::1']) {
        const thief = createServer().listen(Number(port), host);
        const [error] = (await once(thief, 'error')) as [NodeJS.ErrnoException];
        assert.match(error.code ?? '', /EADDRINUSE|EADDRNOTAVAIL|EAFNOSUPPORT/, host);
      }
    } finally {
      await view.close();
      evil.close();
      evil.closeAllConnections();
    }
    await page.reload();
    await shows('hello', /Running/);
  });

  test('many tabs at once all get their answers', async () => {
    // Browsers give a host six connections for requests: watches must not hold them.
    const tabs = await Promise.all(Array.from({ length: 4 }, () => page.context().newPage()));
    for (const tab of tabs) {
      await tab.goto(new URL('/#/nodes', address).toString());
      await tab
        .getByRole('button', { name: 'Cordon', exact: true })
        .and(tab.locator(':enabled'))
        .first()
        .waitFor();
    }
    await Promise.all(tabs.map((tab) => tab.close()));
  });

  test('the way of a VM, handoff by handoff, without a mouse', async () => {
    await eventually('its link is reached', 20_000, async () => {
      await page.keyboard.press('Tab');
      return (await page.evaluate('document.activeElement.textContent')) === 'hello' ? true : undefined;
    });
    await page.keyboard.press('Enter');
    await page.locator('.pipeline li.done').nth(10).waitFor();
    await page.getByText('virtctl why vm/hello').waitFor();
    await page.screenshot({ path: join(PICTURES, 'way.png') });
  });

  test('the serial console takes a login', async () => {
    await page.getByRole('tab', { name: 'Console' }).click();
    await page.getByText('connected').waitFor();
    await logIn(page);
    await ask(page, 'echo in-$((40 + 2))', /in-42/);
    await page.keyboard.press('Shift+Escape');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Console', 'the way out of it');
    await page.screenshot({ path: join(PICTURES, 'console.png') });
    // The tab stands in the address, and what the guest wrote is kept on its node: a reload loses neither.
    await page.reload();
    await page.locator('.xterm-accessibility-tree').filter({ hasText: /in-42/ }).waitFor();
    assert.equal(await page.title(), 'hello · Podvisor');
    await page.keyboard.press('Shift+Escape');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Screen', selected: true }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('tab', { name: 'Console', selected: true }).waitFor();
  });

  test('the screen is the guest’s', async () => {
    await page.getByRole('tab', { name: 'Screen' }).click();
    const canvas = page.locator('.screen canvas');
    await canvas.waitFor({ timeout: 30_000 });
    await page.getByText('connected').waitFor();
    await eventually('something is drawn', 20_000, async () => {
      const isDrawn = (await page.evaluate(IS_DRAWN)) === true;
      return isDrawn ? true : undefined;
    });
    await page.screenshot({ path: join(PICTURES, 'screen.png') });
    assert.equal(await page.evaluate(IS_AS_THE_GUEST_SAYS), '', 'as the guest’s own picture has it');
    const before = await page.evaluate(PIXELS);
    await page.getByLabel('Text to type into the guest').fill('root');
    await page.getByRole('button', { name: 'Type' }).click();
    await eventually('what is typed is drawn', 20_000, async () =>
      (await page.evaluate(PIXELS)) === before ? undefined : true,
    );
    // A guest with a keyboard of the United States takes what is meant for a German one for other letters.
    await page.getByLabel('Keyboard layout of the guest').selectOption('de');
    await page.getByLabel('Text to type into the guest').fill('zy');
    await page.getByRole('button', { name: 'Type' }).click();
    const serial = await tabOf(world(), 'Console');
    await ask(serial, 'sleep 1; tr -d " " </dev/vcs', /rootyz/);
    await serial.close();
    await page.getByLabel('Keyboard layout of the guest').selectOption('us');
    await page.getByLabel('Text to type into the guest').fill('café');
    await page.getByRole('button', { name: 'Type' }).click();
    await page.getByText('Nothing was typed: this keyboard has no key for é').waitFor();
    assert.equal(await page.getByLabel('Text to type into the guest').inputValue(), 'café');
    // Another one who looks takes it away from nobody.
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('tab', { name: 'Screen' }).click();
    await eventually('the other one sees it too', 20_000, async () =>
      (await other.evaluate(IS_DRAWN).catch(() => false)) === true ? true : undefined,
    );
    await other.close();
    await page.getByText(/^connected ·/).waitFor();
  });

  test('what is copied in a guest can be copied here', async () => {
    const view = await page.context().newPage();
    try {
      await view.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await view.routeWebSocket(/\/vnc/, (socket) => speakVnc(socket, 'from the guest'));
      await view.addInitScript(WHOLE_SOCKETS);
      await view.goto(page.url());
      await view.getByRole('tab', { name: 'Screen' }).click();
      await view.getByLabel('Copied in the guest').waitFor();
      await view.getByRole('button', { name: 'Copy here' }).click();
      await view.getByLabel('Copied in the guest').waitFor({ state: 'detached' });
      assert.equal(await view.evaluate('navigator.clipboard.readText()'), 'from the guest');
    } finally {
      await view.close();
    }
  });

  test('a fix that is a command of ours is a button', async () => {
    await page.getByRole('tab', { name: 'Pipeline' }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.locator('.notice').getByRole('button', { name: 'Unpause' }).click();
    await page.getByRole('heading', { name: /hello.*Running/ }).waitFor();
  });

  let beginningMs = Infinity;
  const history = (): Promise<UsageHistory> =>
    instance.client.request<UsageHistory>({
      method: 'GET',
      path: '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/hello/usagehistory',
    });
  /** Nodes tell each other times by their own clocks; on one machine a request lies between. */
  const beginsAsBefore = async (): Promise<true | undefined> => {
    const { points } = await history();
    return Math.abs((points[0]?.atMs ?? Infinity) - beginningMs) < 2_000 ? true : undefined;
  };

  test('charts begin before anybody looked', async () => {
    await eventually('its node has kept something', 60_000, async () => {
      beginningMs = (await history()).points[0]?.atMs ?? Infinity;
      return beginningMs < Date.now() - 2_000 ? true : undefined;
    });
    const openedMs = Date.now();
    const tab = await tabOf(world(), 'Usage');
    const said = await tab.getByText(/^From \d/).textContent();
    const from = /^From ([\d:]+.[AP]M)/.exec(said ?? '')?.[1] ?? '';
    const fromMs = Date.parse(`${new Date().toDateString()} ${from.replace(/\s/, ' ')}`);
    assert.ok(fromMs < openedMs - 1_000, `${said} of a page that was opened at ${new Date(openedMs)}`);
    await tab.close();
  });

  movingSteps(world);

  test('charts go on after the move, and after the death of virt-handler', async () => {
    await eventually('the new node knows what was before', 30_000, beginsAsBefore);
    const { status } = await instance.client.get(resources.virtualMachineInstances, HELLO);
    await instance.kill(`virt-handler-${status?.nodeName}`);
    await eventually('a new virt-handler knows it too', 30_000, () =>
      beginsAsBefore().catch(() => undefined),
    );
  });

  test('its network link by link, and what it uses', async () => {
    await page.getByRole('tab', { name: 'Usage' }).click();
    const cpu = page.getByRole('region', { name: 'CPU' });
    await cpu.locator('canvas').waitFor();
    await page.getByRole('tab', { name: 'Network' }).click();
    const links = page.getByRole('region', { name: 'Interface default' }).getByRole('listitem');
    await links.filter({ hasText: /^Interface of the Pod eth0 UP/ }).waitFor();
    await links.filter({ hasText: /^Guest has \d+\./ }).waitFor();
    await links
      .filter({ hasText: /to the guest .*\/s, from it/ })
      .first()
      .waitFor();
    await page.screenshot({ path: join(PICTURES, 'network.png') });
    await page.getByRole('tab', { name: 'Usage' }).click();
    await cpu.filter({ hasText: /of one CPU [\d.]+ %/ }).waitFor();
    await page
      .getByRole('region', { name: 'Memory' })
      .filter({ hasText: /used [\d.]+ MiB/ })
      .waitFor();
    await page.screenshot({ path: join(PICTURES, 'usage.png') });
  });

  test('a claim is plugged and unplugged, and who uses it is shown', async () => {
    await instance.client.create(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace: 'default', name: 'spare' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '64Mi' } } },
    });
    await page.getByRole('tab', { name: 'Disks' }).click();
    await page.getByLabel('Claim').selectOption('spare');
    const plug = page.getByRole('button', { name: 'Plug' });
    assert.match((await plug.getAttribute('title')) ?? '', /virtctl addvolume hello --volume-name=spare/);
    await plug.click();
    const spare = page.getByRole('row').filter({ hasText: 'claim spare' });
    await spare.filter({ hasText: /sd[a-z].*64Mi/ }).waitFor({ timeout: 60_000 });
    await page.screenshot({ path: join(PICTURES, 'disks.png') });
    await page.goto(new URL('/#/storage', address).toString());
    await page
      .getByRole('row')
      .filter({ hasText: /spare.*64Mi.*hello/ })
      .waitFor();
    await page.screenshot({ path: join(PICTURES, 'storage.png') });
    await page.goto(new URL('/#/vm/default/hello', address).toString());
    await page.getByRole('tab', { name: 'Disks' }).click();
    await spare.getByRole('button', { name: 'Unplug' }).click();
    await spare.waitFor({ state: 'detached', timeout: 60_000 });
  });

  test('a snapshot is taken', async () => {
    await page.getByRole('tab', { name: 'Snapshots' }).click();
    await page.getByRole('button', { name: 'Take a snapshot' }).click();
    const row = page.getByRole('row').filter({ hasText: /hello-\S+/ });
    await row.filter({ hasText: 'Ready' }).waitFor({ timeout: 60_000 });
    assert.match(
      (await row.getByRole('button', { name: 'Restore' }).getAttribute('title')) ?? '',
      /VirtualMachineRestore/,
    );
    await page.screenshot({ path: join(PICTURES, 'snapshots.png') });
  });

  test('its YAML is changed with the fields of the schema at hand, and what a restart would bring is shown', async () => {
    await page.getByRole('tab', { name: 'YAML' }).click();
    await page.getByText('A restart would change nothing.').waitFor();
    const line = page.locator('.cm-line').filter({ hasText: /^\s*cores: 1$/ });
    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.type('\nso');
    await page.getByRole('option', { name: /sockets/ }).waitFor();
    await page.keyboard.press('Escape');
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('Control+z');
    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2x');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('alert').waitFor();
    await page
      .locator('.cm-line')
      .filter({ hasText: /^\s*cores: 2x$/ })
      .click();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('The server would take it.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: /spec\.domain\.cpu\.cores\s*1\s*2/ })
      .waitFor();
    await page.screenshot({ path: join(PICTURES, 'object.png') });
    // One's own change is nobody else's: what comes next is taken as well.
    await page
      .locator('.cm-line')
      .filter({ hasText: /^\s*cores: 2$/ })
      .click();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('3');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: /spec\.domain\.cpu\.cores\s*1\s*3/ })
      .waitFor();
    assert.equal(await page.getByText('The VM has changed since you began').count(), 0);
  });

  test('the VM goes back to its snapshot by clicks', async () => {
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('heading', { name: /hello.*Stopped/ }).waitFor({ timeout: 60_000 });
    await page.getByRole('tab', { name: 'Snapshots' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    const key = { namespace: 'default', name: 'hello' };
    await eventually('the VM is as it was', 60_000, async () => {
      const { spec } = await instance.client.get(resources.virtualMachines, key);
      return spec.template?.spec?.domain.cpu?.cores === 1 ? true : undefined;
    });
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: /hello.*Running/ }).waitFor({ timeout: 60_000 });
  });

  test('a file of this computer becomes a claim', async () => {
    await page.goto(new URL('/#/storage', address).toString());
    const file = join(instance.home, 'disk.img');
    writeFileSync(file, IMAGE);
    await page.getByLabel('File').setInputFiles(file);
    await page.getByLabel('Claim of the upload').fill('sent');
    await page.getByLabel('Size of the upload').fill('64Mi');
    const upload = page.getByRole('button', { name: 'Upload' });
    assert.match((await upload.getAttribute('title')) ?? '', /^virtctl image-upload dv sent/);
    // A line so slow that it can be cut in the middle: the claim keeps what it has.
    const line = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 12 * 2 ** 20 };
    await line.send('Network.emulateNetworkConditions', slow);
    await upload.click();
    await page.getByText(/^ ?(2[4-9]|3\d)(\.\d)? MiB of 48.0 MiB/).waitFor({ timeout: 60_000 });
    await page.reload();
    await line.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
    await page.getByRole('button', { name: 'sent', exact: true }).click();
    await page.getByLabel('File').setInputFiles(file);
    const rest = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().includes('/upload/'),
    );
    await upload.click();
    const begins = Number((await (await rest).allHeaders())['upload-begins-at']);
    assert.ok(begins >= 16 * 2 ** 20 && begins < IMAGE.length, `it goes on at ${begins}`);
    await page.getByText('disk.img is in claim sent.').waitFor({ timeout: 60_000 });
    await page
      .getByRole('row')
      .filter({ hasText: /sent.*Bound.*64Mi/ })
      .waitFor();
  });

  test('a claim is exported and saved, byte by byte what was sent', async () => {
    const claim = page.getByRole('row').filter({ hasText: /sent.*Bound/ });
    const take = claim.getByRole('button', { name: 'Export' });
    assert.equal(
      await take.getAttribute('title'),
      'virtctl vmexport create sent-export --pvc=sent -n default',
    );
    await take.click();
    const row = page.getByRole('row').filter({ hasText: 'sent-export' });
    const link = row.getByRole('link', { name: /raw/ });
    await link.waitFor({ timeout: 60_000 });
    await page.screenshot({ path: join(PICTURES, 'exports.png') });
    const [saved] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const bytes = readFileSync(await saved.path());
    assert.equal(saved.suggestedFilename(), 'sent-export-sent.img');
    assert.equal(bytes.length, 64 * 2 ** 20);
    assert.ok(bytes.subarray(0, IMAGE.length).equals(IMAGE));
    await row.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('the cluster: components, versions, the days of certificates', async () => {
    await page.goto(new URL('/#/cluster', address).toString());
    await page.getByText(/Deployed\s*version v/).waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: /virt-handler.*Ready/ })
      .first()
      .waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: /virt-api-validator\)\s*\d{3,}/ })
      .waitFor();
    // `virtctl ui` knows no home: the cluster is judged by what its API tells.
    await page.getByText(/\d of \d checks pass/).waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: /KVM.*WARN.*software emulation/ })
      .waitFor();
    await page.screenshot({ path: join(PICTURES, 'cluster.png') });
  });

  test('a node is cordoned, and takes guests again', async () => {
    await page.goto(new URL('/#/nodes', address).toString());
    await page
      .getByRole('cell', { name: /of \d+ CPUs, .* free/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Cordon', exact: true }).first().click();
    await page.getByText('(cordoned)').waitFor();
    await page.getByText(/guests have gone|No guest is left here/).waitFor();
    await page.getByRole('button', { name: 'Uncordon' }).click();
    await page.getByText('(cordoned)').waitFor({ state: 'detached' });
  });

  test('who may only look at one namespace sees that one, and nothing that he may not do', async () => {
    const kubeconfig = join(instance.home, 'viewer.kubeconfig');
    const { code, stdout, stderr } = await instance.podvisor([
      ...['user', 'add', 'viewer', '--namespace', 'default', '--role', 'view'],
    ]);
    assert.equal(code, 0, stderr);
    writeFileSync(kubeconfig, stdout);
    const env = { ...instance.env, KUBECONFIG: kubeconfig };
    const other = new Conversation(join(root, 'bin/virtctl'), ['ui', '--no-open'], env);
    try {
      const its = /http:\S+/.exec(await other.hear(/http:\S+\n/))?.[0] ?? '';
      const { page: view } = await openPage(browser, its);
      await view.getByRole('link', { name: 'hello', exact: true }).click();
      const stop = view.getByRole('button', { name: 'Stop' });
      await view.locator('button[title^="You may not"]', { hasText: 'Stop' }).waitFor();
      assert.equal(await stop.isDisabled(), true);
      await view.getByRole('link', { name: 'Cluster' }).click();
      await view.getByText(/Not looked at, because you may not: .*nodes/).waitFor();
      await view.context().close();
    } finally {
      await other.exited(1_000);
    }
  });

  test('a new VM: admission’s words at its field, then the VM', async () => {
    await page.goto(new URL('/#/new', address).toString());
    await page.getByLabel('Name', { exact: true }).fill('second');
    await page.getByLabel('Memory').fill('12wrong');
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /memory/ })
      .waitFor();
    assert.equal(
      await page.getByLabel('Name', { exact: true }).inputValue(),
      'second',
      'nothing typed is lost',
    );
    await page
      .locator('.cm-line')
      .filter({ hasText: /guest: 12wrong$/ })
      .click();
    await page.keyboard.press('End');
    for (let i = 0; i < '12wrong'.length; i += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type('192Mi');
    assert.equal(await page.getByLabel('Memory').inputValue(), '192Mi', 'the object changes the form');
    await page.getByLabel('CPUs').fill('2');
    await page
      .locator('.cm-line')
      .filter({ hasText: /cores: 2$/ })
      .waitFor();
    await page.screenshot({ path: join(PICTURES, 'new-vm.png') });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.pipeline li.done').nth(10).waitFor({ timeout: 90_000 });
  });

  test('what a tenant writes never becomes markup', async () => {
    const evil = '<img src=x onerror="document.title=1">';
    await instance.client.patch(
      resources.virtualMachines,
      { namespace: 'default', name: 'second' },
      { type: 'merge', body: { metadata: { annotations: { evil } } } },
    );
    await page.getByRole('tab', { name: 'YAML' }).click();
    await page.getByText('The VM and its VMI as the server has them').click();
    await page.locator('pre').filter({ hasText: 'onerror' }).waitFor();
    assert.equal(await page.title(), 'second · Podvisor');
    assert.equal(await page.locator('main img').count(), 0);
  });

  test('stop and delete, with the command that does the same', async () => {
    const stop = page.getByRole('button', { name: 'Stop' });
    assert.equal(await stop.getAttribute('title'), 'virtctl stop second -n default');
    await page.getByLabel('Show commands').check();
    await page.getByText('virtctl stop second -n default', { exact: true }).waitFor();
    await page.getByText('virtctl pause vmi second -n default', { exact: true }).waitFor();
    await page.getByLabel('Show commands').uncheck();
    await stop.click();
    await page.getByRole('heading', { name: /second.*Stopped/ }).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no VM second').waitFor({ timeout: 60_000 });
  });

  troubleSteps(world);

  test('no serious finding of axe on any view, none too wide for a telephone, and its pictures', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const look = async (name: string): Promise<void> => {
      await page.evaluate(axe);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const findings = (await page.evaluate(
          '(async () => (await axe.run()).violations.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => v.id + ": " + v.nodes.map((n) => n.html).join(" ")))()',
        )) as string[];
        assert.deepEqual(findings, [], `${name}, ${colorScheme}`);
        await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await eventually(`${name} fits`, 5_000, async () =>
        (await page.evaluate('document.documentElement.scrollWidth <= innerWidth')) === true
          ? true
          : undefined,
      );
      await page.screenshot({ path: join(PICTURES, `${name}-narrow.png`) });
      await page.setViewportSize({ width: 1280, height: 900 });
    };
    for (const view of ['', 'nodes', 'migrations', 'storage', 'events', 'cluster', 'new']) {
      await page.goto(new URL(`/#/${view}`, address).toString());
      await page.locator('h1, h2').first().waitFor();
      await look(view === '' ? 'first' : view);
    }
    await page.goto(new URL('/#/vm/default/hello', address).toString());
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await page
        .getByText(/^Loading|^Looking/)
        .first()
        .waitFor({ state: 'detached' });
      await look(`vm-${(await tab.textContent())?.split(' ')[0]?.toLowerCase()}`);
    }
  });

  test('many are chosen, ordered and filtered; what does not fit one of them is offered for the others', async () => {
    const halted = (name: string) => ({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { namespace: 'default', name },
      spec: {
        runStrategy: 'Halted',
        template: { spec: { domain: { memory: { guest: '32Mi' }, devices: {} } } },
      },
    });
    const names = ['idle', `idle-${'x'.repeat(58)}`];
    for (const name of names) await instance.client.create(resources.virtualMachines, halted(name) as never);
    await page.goto(new URL('/#/', address).toString());
    await page.getByRole('button', { name: /Stopped 2$/ }).click();
    await page.getByText('2 of 3').waitFor();
    await page.getByRole('button', { name: /Stopped 2$/ }).click();
    await page.getByRole('button', { name: 'Memory', exact: true }).click();
    await page
      .getByRole('columnheader', { name: 'Memory' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    const first = page.getByRole('row').nth(1);
    await first.filter({ hasText: 'idle' }).waitFor();
    await page.getByRole('button', { name: 'Memory', exact: true }).click();
    await first.filter({ hasText: 'hello' }).waitFor();
    await page.getByLabel('Choose all that are shown').check();
    const chosen = page.getByRole('group', { name: '3 VMs chosen:' });
    await chosen.getByRole('button', { name: 'Start 2' }).waitFor();
    await page.screenshot({ path: join(PICTURES, 'chosen.png') });
    await page.getByLabel('Choose hello', { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Delete 2' }).click();
    await page.getByText('1 of 1').waitFor();
    await page.getByRole('combobox', { name: 'Namespace' }).fill('kube-public');
    await page.keyboard.press('Enter');
    await page.getByText('There is no VM yet.').waitFor();
    await page.getByRole('combobox', { name: 'Namespace' }).fill('');
    await page.keyboard.press('Enter');
    await shows('hello', /Running/);
    // An address that somebody mistyped, or made, breaks nothing.
    await page.goto(new URL('/#/vm/%/x', address).toString());
    await page.getByText('There is no VM x in %').waitFor();
  });

  test('a filter', async () => {
    await page.goto(new URL('/#/', address).toString());
    await shows('hello', /Running/);
    await page.getByRole('searchbox').fill('nothing-like-this');
    await page.getByText('0 of 1').waitFor();
  });

  test('a lost server is said, and the page comes back by itself', async () => {
    await page.getByRole('searchbox').fill('');
    const pid = await instance.pidOf('control-plane');
    process.kill(pid, 'SIGKILL');
    await page.getByText('The connection is lost').waitFor({ timeout: 20_000 });
    await page.getByText('The connection is lost').waitFor({ state: 'detached', timeout: 60_000 });
    await shows('hello', /Running/);
    assert.deepEqual(faults, []);
  });
});
