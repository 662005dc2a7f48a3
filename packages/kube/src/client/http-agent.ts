/**
 * undici's client, and nothing else of it: `import … from 'undici'` also loads fetch, WebSocket, caches, mocks and
 * proxies, which costs every process 9 MiB of memory.
 */
import request from 'undici/lib/api/api-request.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';

// As undici's own index does for all its ways to send something.
Dispatcher.prototype.request = request;

export { Agent, buildConnector, Pool };
