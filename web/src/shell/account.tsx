import { ActionIcon } from '@mantine/core';
import { Languages, LogOut } from 'lucide-react';
import { useLocation } from 'wouter';
import { send } from '../api/call.ts';
import { getProfile } from '../api/operations.gen.ts';
import { useRead } from '../api/read.ts';
import { type Language, setLanguage, useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { useServerConfig } from '../session/server-config.ts';
import { forget, useToken } from '../session/session.ts';
import { ThemeSelect } from './theme-select.tsx';

/** Who one is here, and how one wants to see it. */
export function Account({ place }: { readonly place: 'rail' | 'bar' }) {
  const { data: config } = useServerConfig();
  const token = useToken();
  const isLetIn = token !== undefined || config?.auth.mode === 'open';
  const { data: profile } = useRead(getProfile, {}, { enabled: isLetIn });
  const name = profile?.account.name ?? '';
  const email = profile?.email ?? '';
  if (place === 'bar')
    return (
      <span className="me">
        <Preferences canSignOut={token !== undefined} />
      </span>
    );
  return (
    <div className="me">
      <span className="face" aria-hidden="true">
        {name.slice(0, 2).toUpperCase()}
      </span>
      <span className="col gap1 grow">
        <span className="small strong clip">{name}</span>
        <span className="micro dim clip">{email}</span>
      </span>
      <Preferences canSignOut={token !== undefined} />
    </div>
  );
}

function Preferences({ canSignOut }: { readonly canSignOut: boolean }) {
  return (
    <>
      <ThemeSelect />
      <LanguageButton />
      {canSignOut && <SignOut />}
    </>
  );
}

/** Named in the language it leads to, for people who cannot read the other one. */
const OTHER: Readonly<Record<Language, { readonly to: Language; readonly label: string }>> = {
  en: { to: 'es', label: 'Español' },
  es: { to: 'en', label: 'English' },
};

function LanguageButton() {
  const { to, label } = OTHER[useLanguage()];
  return (
    <ActionIcon title={label} size={28} aria-label={label} lang={to} onClick={() => void setLanguage(to)}>
      <Languages className="icon s" />
    </ActionIcon>
  );
}

function SignOut() {
  const t = useText();
  const [, go] = useLocation();
  const signOut = async () => {
    // Without an answer the session expires later; this browser forgets it now.
    await send('POST', '/api/v1/auth/logout', {}).catch(() => undefined);
    forget();
    go('/');
  };
  return (
    <ActionIcon
      title={t('auth.signOut')}
      size={28}
      aria-label={t('auth.signOut')}
      onClick={() => void signOut()}
    >
      <LogOut className="icon s" />
    </ActionIcon>
  );
}
