/**
 * Which terminal the services of our guests get. Busybox's init makes the terminal of each program that it starts
 * sane, with echo, and without a name that is the console: a service that comes back every second would take away the
 * settings of the shell that somebody types into, whose lines are then echoed twice.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const images = join(import.meta.dirname, '../../images');

for (const guest of ['hello', 'kubevirt-suite'])
  test(`services of ${guest} leave the console to who is logged in`, () => {
    const inittab = readFileSync(join(images, guest, 'rootfs/etc/inittab'), 'utf8');
    const again = inittab.split('\n').filter((line) => line.includes(':respawn:'));
    assert.ok(again.length > 2, 'terminals and services are in it');
    const onConsole = again.filter((line) => {
      const [terminal, , , program = ''] = line.split(':');
      return terminal === '' || (terminal !== 'null' && !program.includes('getty'));
    });
    assert.deepEqual(onConsole, []);
  });
