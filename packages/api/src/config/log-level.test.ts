import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from './cluster-config.ts';
import { logLevel } from './log-level.ts';

const config = clusterConfig({
  spec: {
    configuration: {
      developerConfiguration: {
        logVerbosity: { virtAPI: 3, virtController: 9, virtHandler: 0, nodeVerbosity: { 'node-1': 4 } },
      },
    },
  },
});

test('verbosity becomes a level; that of a node beats the component’s', () => {
  assert.equal(logLevel(clusterConfig(), 'virtAPI'), 'info');
  assert.equal(logLevel(config, 'virtAPI'), 'debug');
  assert.equal(logLevel(config, 'virtController'), 'trace');
  assert.equal(logLevel(config, 'virtHandler'), 'info');
  assert.equal(logLevel(config, 'virtHandler', 'node-1'), 'debug');
});
