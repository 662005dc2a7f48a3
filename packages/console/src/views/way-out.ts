/** A console takes every key, Tab too: Shift+Escape is the way out of it for who uses no mouse. */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Leads from anything in `place` to the tab that is open. */
export function useWayOut(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = place.current;
    const leave = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
    };
    // Before the terminal or the screen sees the key.
    element?.addEventListener('keydown', leave, { capture: true });
    return () => element?.removeEventListener('keydown', leave, { capture: true });
  }, [place]);
}
