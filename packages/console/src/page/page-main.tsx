/** Takes the key out of the address, opens the session with it, and draws the page. */
import { render } from 'preact';
import { App } from './app.tsx';

const place = document.getElementById('page');
const key = /^#key=(.*)$/.exec(location.hash)?.[1];
// The key is used up now; nobody finds it in the history of the browser.
if (key !== undefined) history.replaceState(undefined, '', '#/');
const response = await fetch('/session', { method: 'POST', body: key ?? '' });
const { namespace = 'default' } = (await response.json()) as { namespace?: string };
if (place !== null)
  render(
    response.ok ? (
      <App home={namespace} />
    ) : (
      <main>
        <h1>Podvisor</h1>
        <p>This page was opened before with this key, or without one. Run the command again for a new address.</p>
      </main>
    ),
    place,
  );
