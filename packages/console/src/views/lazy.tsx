/** A view whose script is loaded when it is opened. */
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from './parts.tsx';

export interface LazyProps<P> {
  readonly load: () => Promise<{ readonly default: ComponentType<P> }>;
  readonly with: P;
  readonly what: string;
}

export function Lazy<P extends object>({ load, with: props, what }: LazyProps<P>): JSX.Element {
  const [View, setView] = useState<ComponentType<P>>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    load().then(
      (module) => setView(() => module.default),
      () => setProblem(`${what} could not be loaded; is the page's server still running?`),
    );
    // The view is chosen once, by the tab.
  }, []);
  if (problem !== undefined) return <Problem>{problem}</Problem>;
  return View === undefined ? <p class="faint">Loading {what} …</p> : <View {...(props as P & JSX.IntrinsicAttributes)} />;
}
