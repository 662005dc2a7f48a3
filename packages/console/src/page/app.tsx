/** The page: where in it we are stands behind the `#` of the address. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { collectionsOf, Looking, useCollection } from '../live/use-collection.ts';
import { endSession, type Session } from '../live/session.ts';
import { ClusterPage } from '../views/cluster-page.tsx';
import { Events } from '../views/events.tsx';
import { Lazy } from '../views/lazy.tsx';
import { SessionNotice } from '../views/login.tsx';
import { MigrationsPage } from '../views/migrations-page.tsx';
import { NodesPage } from '../views/nodes-page.tsx';
import { ShowCommands } from '../views/show-commands.tsx';
import { StoragePage } from '../views/storage-page.tsx';
import { VmPage } from '../views/vm-page.tsx';
import { VmTable } from '../views/vm-table.tsx';
import { commonText } from '../texts/common.ts';
import { newVmText } from '../texts/object.ts';
import { sessionText } from '../texts/session.ts';

const PAGES: readonly (readonly [string, string])[] = [
  ['#/', sessionText.vms],
  ['#/nodes', sessionText.nodes],
  ['#/migrations', sessionText.migrations],
  ['#/storage', sessionText.storage],
  ['#/events', sessionText.events],
  ['#/cluster', sessionText.cluster],
];

/** The session's namespace is looked at when the user may not look at all of them. */
export function App({ session }: { session: Session }): JSX.Element {
  const { namespace: home, user } = session;
  const [hash, setHash] = useState(location.hash);
  const [scope, setScope] = useState('');
  const [showsCommands, setShowsCommands] = useState(false);
  const looking = useMemo(() => collectionsOf(scope), [scope]);
  const { state } = useCollection(looking.vms);
  useEffect(() => {
    if (state === 'forbidden' && scope === '') setScope(home);
  }, [state, scope, home]);
  useEffect(() => {
    const onChange = (): void => setHash(location.hash);
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return (
    <Looking.Provider value={looking}>
      <header>
        <strong>{commonText.product}</strong>
        <nav class="bar" aria-label={sessionText.pages}>
          {PAGES.map(([href, label]) => (
            <a key={href} href={href} aria-current={hash === href || (hash === '' && href === '#/') ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <label class="faint">
          {commonText.namespace}{' '}
          <input
            value={scope}
            placeholder={sessionText.allNamespaces}
            onChange={(event) => setScope(event.currentTarget.value.trim())}
          />
        </label>
        <label class="faint">
          <input
            type="checkbox"
            checked={showsCommands}
            onChange={(event) => setShowsCommands(event.currentTarget.checked)}
          />{' '}
          {commonText.showCommands}
        </label>
        {session.opensWith === 'token' ? (
          <span class="faint">
            {user}{' '}
            <button type="button" onClick={() => void endSession()}>
              {sessionText.logOut}
            </button>
          </span>
        ) : null}
      </header>
      <main>
        <SessionNotice session={session} />
        <ShowCommands.Provider value={showsCommands}>
          <View hash={hash} />
        </ShowCommands.Provider>
      </main>
    </Looking.Provider>
  );
}

function View({ hash }: { hash: string }): JSX.Element {
  const [, page, namespace, name] = hash.split('/').map((part) => decodeURIComponent(part));
  if (page === 'vm' && namespace !== undefined && name !== undefined)
    return <VmPage key={hash} namespace={namespace} name={name} />;
  if (page === 'nodes') return <NodesPage />;
  if (page === 'migrations') return <MigrationsPage />;
  if (page === 'storage') return <StoragePage />;
  if (page === 'new') return <Lazy load={() => import('../views/new-vm-page.tsx')} with={{}} what={newVmText.form} />;
  if (page === 'cluster') return <ClusterPage />;
  if (page === 'events') return <Events namespace="" />;
  return <VmTable />;
}
