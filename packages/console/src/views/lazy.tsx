/** A view whose script is loaded when it is opened. */
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from './parts.tsx';
import { commonText } from '../texts/common.ts';

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
      () => setProblem(commonText.notLoaded(what)),
    );
    // The view is chosen once, by the tab.
  }, []);
  if (problem !== undefined) return <Problem>{problem}</Problem>;
  return View === undefined ? <p class="faint">{commonText.loading(what)}</p> : <View {...(props as P & JSX.IntrinsicAttributes)} />;
}
