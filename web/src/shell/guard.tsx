import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { Redirect } from 'wouter';
import { useText } from '../i18n/text.ts';
import { signInPath } from '../session/next.ts';
import { useServerConfig } from '../session/server-config.ts';
import { useToken } from '../session/session.ts';
import { FaultBanner } from '../ui/fault-banner.tsx';

/** Lets in who is signed in, and everyone where the server asks for no sign-in; others go to the sign-in first. */
export function Guard({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const token = useToken();
  const { data: config, error, refetch } = useServerConfig();
  if (token !== undefined || config?.auth.mode === 'open') return children;
  if (config) return <Redirect to={signInPath()} replace />;
  return (
    <main className="waiting">
      {error ? (
        <FaultBanner fault={error} retry={() => void refetch()} />
      ) : (
        <div role="status" aria-label={t('auth.checking')}>
          <Loader color="var(--mg)" />
        </div>
      )}
    </main>
  );
}
