/** The page: where in it we are stands behind the `#` of the address. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { collectionAt, collectionsOf, Looking, useCollection } from '../live/use-collection.ts';
import { endSession, type Session } from '../live/session.ts';
import { routeOf } from '../model/route.ts';
import { ClusterPage } from '../views/cluster-page.tsx';
import { Events } from '../views/events.tsx';
import { Guard } from '../views/guard.tsx';
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
  ['', sessionText.vms],
  ['nodes', sessionText.nodes],
  ['migrations', sessionText.migrations],
  ['storage', sessionText.storage],
  ['events', sessionText.events],
  ['cluster', sessionText.cluster],
];
/** Pages that belong to another one's place in the bar. */
const BELOW: Readonly<Record<string, string>> = { vm: '', new: '' };

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
  const { page, name } = routeOf(hash);
  const current = BELOW[page] ?? page;
  const title = page === 'vm' ? name : page === 'new' ? newVmText.title : PAGES.find(([id]) => id === current)?.[1];
  useEffect(() => {
    document.title = title === undefined ? commonText.product : sessionText.titleOf(title);
  }, [title]);
  return (
    <Looking.Provider value={looking}>
      <header>
        <a class="brand" href="#/">
          {commonText.product}
        </a>
        <nav class="bar" aria-label={sessionText.pages}>
          {PAGES.map(([id, label]) => (
            <a key={id} href={`#/${id}`} aria-current={id === current ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <NamespaceField scope={scope} onScope={setScope} />
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
          <Guard place={hash}>
            <View hash={hash} />
          </Guard>
        </ShowCommands.Provider>
      </main>
    </Looking.Provider>
  );
}

/** Names are offered to who may list namespaces; who may not types his. */
function NamespaceField({ scope, onScope }: { scope: string; onScope: (scope: string) => void }): JSX.Element {
  const namespaces = useCollection(collectionAt('/api/v1/namespaces'));
  return (
    <label class="faint">
      {commonText.namespace}{' '}
      <input
        class="namespace"
        value={scope}
        list="namespaces"
        placeholder={sessionText.allNamespaces}
        onChange={(event) => onScope(event.currentTarget.value.trim())}
      />
      <datalist id="namespaces">
        {[...namespaces.items.values()].map(({ metadata }) => (
          <option key={metadata?.name} value={metadata?.name} />
        ))}
      </datalist>
    </label>
  );
}

function View({ hash }: { hash: string }): JSX.Element {
  const { page, namespace, name, tab } = routeOf(hash);
  if (page === 'vm' && namespace !== '' && name !== '')
    return <VmPage key={`${namespace}/${name}`} namespace={namespace} name={name} tab={tab} />;
  if (page === 'nodes') return <NodesPage />;
  if (page === 'migrations') return <MigrationsPage />;
  if (page === 'storage') return <StoragePage />;
  if (page === 'new') return <Lazy load={() => import('../views/new-vm-page.tsx')} with={{}} what={newVmText.form} />;
  if (page === 'cluster') return <ClusterPage />;
  if (page === 'events') return <Events namespace="" isPage />;
  return <VmTable />;
}
