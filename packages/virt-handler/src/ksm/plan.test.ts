import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ksmSettings, nextKsmState } from './plan.ts';

const GIB = 1024 ** 3;
const standard = ksmSettings({});
const memory = (availableGib: number): { totalBytes: number; availableBytes: number } => ({
  totalBytes: 32 * GIB,
  availableBytes: availableGib * GIB,
});

describe('numbers for a node', () => {
  test('the usual ones, and what annotations say instead', () => {
    assert.deepEqual(standard, {
      boost: 300,
      decay: -50,
      minPages: 64,
      maxPages: 1250,
      initialPages: 100,
      baselineSleepMs: 100,
      freeShare: 0.2,
    });
    assert.deepEqual(
      ksmSettings({
        'kubevirt.io/ksm-pages-boost-override': '10',
        'kubevirt.io/ksm-pages-decay-override': '-5',
        'kubevirt.io/ksm-pages-min-override': '1',
        'kubevirt.io/ksm-pages-max-override': '20',
        'kubevirt.io/ksm-pages-init-override': '7',
        'kubevirt.io/ksm-sleep-ms-baseline-override': '40',
        'kubevirt.io/ksm-free-percent-override': '0.5',
      }),
      {
        boost: 10,
        decay: -5,
        minPages: 1,
        maxPages: 20,
        initialPages: 7,
        baselineSleepMs: 40,
        freeShare: 0.5,
      },
    );
  });

  for (const bad of ['', 'many', '1e3', '-1', '99999999999999999999', '0x10'])
    test(`${JSON.stringify(bad)} pages are none`, () =>
      assert.equal(ksmSettings({ 'kubevirt.io/ksm-pages-max-override': bad }).maxPages, 1250));

  for (const bad of ['', '-0.1', '1.1', 'half'])
    test(`a share of ${JSON.stringify(bad)} is none`, () =>
      assert.equal(ksmSettings({ 'kubevirt.io/ksm-free-percent-override': bad }).freeShare, 0.2));

  test('what is usual gives way to the bounds that are given', () => {
    const { minPages, maxPages, initialPages } = ksmSettings({
      'kubevirt.io/ksm-pages-min-override': '5000',
    });
    assert.deepEqual(
      { minPages, maxPages, initialPages },
      { minPages: 5000, maxPages: 5000, initialPages: 5000 },
    );
  });
});

describe('the next step', () => {
  test('memory gets tight: it starts, and looks at more and more', () => {
    const first = nextKsmState({ running: false, pagesToScan: 999 }, memory(6), standard);
    assert.deepEqual(first, { running: true, pagesToScan: 100, sleepMs: 61 });
    assert.equal(nextKsmState(first, memory(6), standard).pagesToScan, 400);
    assert.equal(nextKsmState({ running: true, pagesToScan: 1200 }, memory(6), standard).pagesToScan, 1250);
  });

  test('there is room again: it looks at fewer and fewer, and stops', () => {
    const slower = nextKsmState({ running: true, pagesToScan: 200 }, memory(16), standard);
    assert.deepEqual(slower, { running: true, pagesToScan: 150, sleepMs: 100 });
    assert.equal(nextKsmState({ running: true, pagesToScan: 113 }, memory(16), standard).running, false);
    assert.equal(nextKsmState({ running: false, pagesToScan: 100 }, memory(16), standard).running, false);
  });

  test('a large machine rests less, and never less than a tenth', () =>
    assert.equal(
      nextKsmState(
        { running: false, pagesToScan: 100 },
        { totalBytes: 4096 * GIB, availableBytes: 0 },
        standard,
      ).sleepMs,
      10,
    ));
});
