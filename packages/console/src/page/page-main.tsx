/** Takes the key out of the address, opens the session with it, and draws the page. */
import { render } from 'preact';
import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { type NoSession, openSession, type Session } from '../live/session.ts';
import { TokenForm } from '../views/login.tsx';
import { App } from './app.tsx';
import { commonText } from '../texts/common.ts';
import { sessionText } from '../texts/session.ts';

const place = document.getElementById('page');
const key = /^#key=(.*)$/.exec(location.hash)?.[1];
// The key is used up now; nobody finds it in the history of the browser.
if (key !== undefined) history.replaceState(undefined, '', '#/');
const first = await openSession(key ?? '');
if (place !== null) render(<Page first={first} />, place);

function Page({ first: given }: { first: Session | NoSession }): JSX.Element {
  const [session, setSession] = useState(given);
  if (!('problem' in session)) return <App session={session} />;
  return (
    <main>
      <h1>{commonText.product}</h1>
      {session.opensWith === 'token' ? (
        <TokenForm onSession={setSession} />
      ) : (
        <p>{sessionText.usedKey}</p>
      )}
    </main>
  );
}
