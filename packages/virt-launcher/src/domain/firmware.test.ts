import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { findFirmware } from './firmware.ts';

let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'ovmf-'));
  // Debian 12's names.
  for (const name of ['CODE', 'CODE_4M', 'CODE_4M.ms', 'CODE.secboot', 'VARS', 'VARS_4M', 'VARS_4M.ms'])
    writeFileSync(join(directory, `OVMF_${name}.fd`), '');
});
after(() => rmSync(directory, { recursive: true }));

const vmi = (efi?: { readonly secureBoot?: boolean }): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  spec: {
    domain: { devices: {}, ...(efi === undefined ? {} : { firmware: { bootloader: { efi } } }) },
  },
});

test('BIOS needs no files; UEFI is with Secure Boot unless told otherwise', () => {
  assert.equal(findFirmware(vmi(), directory), undefined);
  assert.deepEqual(findFirmware(vmi({}), directory), {
    code: `${directory}/OVMF_CODE_4M.ms.fd`,
    vars: `${directory}/OVMF_VARS_4M.ms.fd`,
    secureLoader: true,
  });
  assert.deepEqual(findFirmware(vmi({ secureBoot: false }), directory), {
    code: `${directory}/OVMF_CODE_4M.fd`,
    vars: `${directory}/OVMF_VARS_4M.fd`,
    secureLoader: false,
  });
});

test('the place that was named goes first, then the known ones', () => {
  assert.equal(
    findFirmware(vmi({ secureBoot: false }), '/nonexistent', ['/neither', directory])?.code,
    `${directory}/OVMF_CODE_4M.fd`,
  );
});

test('what is missing is named', () => {
  assert.throws(
    () => findFirmware(vmi({}), '/nonexistent', ['/neither']),
    /Secure Boot, but no such firmware is in \/nonexistent or \/neither; install the package ovmf/,
  );
});
