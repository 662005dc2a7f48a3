/** A view that fails is said to have failed; the rest of the page goes on, and another view can be opened. */
import { Component, type ComponentChildren, type ComponentChild } from 'preact';
import { commonText } from '../texts/common.ts';
import { Problem } from './parts.tsx';

interface GuardProps {
  /** What is shown; another place is tried anew. */
  readonly place: string;
  readonly children: ComponentChildren;
}

interface GuardState {
  readonly failedAt?: string;
  readonly words?: string;
}

export class Guard extends Component<GuardProps, GuardState> {
  override componentDidCatch(error: unknown): void {
    this.setState({ failedAt: this.props.place, words: error instanceof Error ? error.message : String(error) });
  }

  override render({ place, children }: GuardProps, { failedAt, words = '' }: GuardState): ComponentChild {
    return failedAt === place ? <Problem>{commonText.viewFailed(words)}</Problem> : children;
  }
}
