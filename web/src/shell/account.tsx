import { ActionIcon } from '@mantine/core';
import { Languages, LogOut } from 'lucide-react';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { getProfile } from '../api/operations.gen.ts';
import { useRead } from '../api/read.ts';
import { type Language, setLanguage, useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { useServerConfig } from '../session/server-config.ts';
import { chosenAccount, user, useToken, workIn } from '../session/session.ts';
import { signOut } from '../session/sign-out.ts';
import { ThemeSelect } from './theme-select.tsx';

const LOST = ['not_found', 'account_deleted'] as const;

/** Who one is here, and how one wants to see it. */
export function Account({ place }: { readonly place: 'rail' | 'bar' }) {
  const { data: config } = useServerConfig();
  const token = useToken();
  const isLetIn = token !== undefined || config?.auth.mode === 'open';
  const { data: profile, error } = useRead(getProfile, {}, { enabled: isLetIn });
  // They no longer belong to the account that they chose, or it is deleted.
  const isLost = chosenAccount() !== undefined && LOST.some((code) => code === error?.code);
  useEffect(() => {
    if (isLost) workIn(undefined);
  }, [isLost]);
  // Until the profile is here, and where it cannot be read, the person is whom the sign-in named.
  const name = profile?.account.name ?? user().name ?? '';
  const email = profile?.email ?? user().email ?? '';
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
  // At once: to go there once the server has answered would open the sign-in again, without what is typed by then.
  const leave = () => {
    signOut();
    go('/');
  };
  return (
    <ActionIcon title={t('auth.signOut')} size={28} aria-label={t('auth.signOut')} onClick={leave}>
      <LogOut className="icon s" />
    </ActionIcon>
  );
}
