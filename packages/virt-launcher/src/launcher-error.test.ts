import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain, LauncherError } from './launcher-error.ts';

test('known failures get their sentence, the raw text stays as detail', () => {
  const raw = new Error(
    'internal error: process exited: Failed to get "write" lock\nIs another process using the image [/a]?',
  );
  const { message, cause } = explain('QEMU could not be started', raw);
  assert.match(
    message,
    /^the virtual machine was not started because another process is using one of its disks/,
  );
  assert.match(message, /Failed to get "write" lock/);
  assert.equal(cause, raw);
});

test('unknown ones say what was tried; explained ones stay as they are', () => {
  const error = explain('QEMU could not be started', new Error('strange'));
  assert.equal(error.message, 'QEMU could not be started: strange');
  assert.equal(explain('something else', error), error);
  assert.equal(new LauncherError('a sentence').message, 'a sentence');
});

test('only what is a disk is called a disk', () => {
  const of = (detail: string): string => explain('QEMU could not be started', new Error(detail)).message;
  assert.match(of("Could not open '/var/run/a/disk.img': No such file or directory"), /^one of the disks of/);
  assert.match(
    of("Cannot access storage file '/var/run/a/disk.img': No such file or directory"),
    /^one of the disks of/,
  );
  assert.equal(
    of("cannot open directory '/sys/bus/usb/devices': No such file or directory"),
    "a file or device that the virtual machine needs is not there: cannot open directory '/sys/bus/usb/devices': No such file or directory",
  );
});
