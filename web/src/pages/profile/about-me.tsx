import '../../ui/styles/select.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../api/operation.ts';
import { getProfile, updateProfile } from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { type Language, setLanguage, useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { user } from '../../session/session.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { toast } from '../../ui/toast.ts';
import css from './profile.module.css';

type Profile = Output<typeof getProfile>;

/** Name, email, picture and language. Without an answer of the server, it shows what the sign-in said of the person. */
export function AboutMe({ profile }: { readonly profile: Profile | undefined }) {
  const t = useText();
  const { name, email, avatar } = profile ?? { ...user(), avatar: null };
  return (
    <section className={`block ${css.first}`} aria-labelledby="me">
      <header>
        <h2 className="h3" id="me">
          {t('profile.me')}
        </h2>
      </header>
      <div className="row gap4">
        {avatar ? (
          <img
            className={css.picture}
            src={avatar}
            alt=""
            width={56}
            height={56}
            referrerPolicy="no-referrer"
          />
        ) : (
          <span className={`face ${css.picture}`} aria-hidden="true">
            {(name ?? '').slice(0, 2).toUpperCase()}
          </span>
        )}
        <div className="col gap1">
          <span className="sign h2">{name}</span>
          <span className="mid">{email}</span>
        </div>
      </div>
      {profile && <Form key={`${profile.id} ${profile.name}`} profile={profile} />}
    </section>
  );
}

function Form({ profile }: { readonly profile: Profile }) {
  const t = useText();
  const shown = useLanguage();
  const [name, setName] = useState(profile.name);
  const [language, chooseLanguage] = useState<Language>(shown);
  const { write, isBusy, fault } = useWrite(updateProfile, {
    changes: [getProfile],
    onDone: () => {
      void setLanguage(language).then(() => toast(t('profile.saved')));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write({ name: name.trim(), language });
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <FaultBanner fault={fault?.about('name') === undefined ? fault : null} />
      <TextInput
        label={t('auth.name')}
        name="name"
        autoComplete="name"
        required
        value={name}
        error={fault?.about('name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <NativeSelect
        label={t('profile.language')}
        name="language"
        value={language}
        onChange={({ currentTarget }) => chooseLanguage(currentTarget.value === 'es' ? 'es' : 'en')}
        data={[
          { value: 'en', label: 'English' },
          { value: 'es', label: 'Español' },
        ]}
      />
      <Button type="submit" loading={isBusy}>
        {t('profile.save')}
      </Button>
    </form>
  );
}
