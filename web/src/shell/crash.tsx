import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { text } from '../i18n/text.ts';
import { Banner } from '../ui/banner.tsx';

type Props = { readonly children: ReactNode };

/** Where a page fails, it alone is replaced: the way to the other pages stays. */
export class Crash extends Component<Props, { readonly error: Error | null }> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <main className="page">
        <div className="page-body">
          <h1 className="sign h1">{text('crash.title')}</h1>
          <Banner
            tone="err"
            title={error.message}
            action={
              <Button size="xs" onClick={() => location.reload()}>
                {text('action.reload')}
              </Button>
            }
          >
            {text('crash.next')}
          </Banner>
        </div>
      </main>
    );
  }
}
