import { useEffect, useState } from 'react';
import { user } from '../../session/session.ts';

const COUNTS = ['3', '5', '10'] as const;

export type FormValues = {
  readonly topic: string;
  readonly count: (typeof COUNTS)[number];
  readonly provider: string;
  readonly platform: string;
  readonly voice: string;
  readonly model: string;
  readonly key: string;
  readonly keepsKey: boolean;
};

/** Of one person: the next one in this tab does not pay with it. */
const kept = () => `provider-key ${user().id ?? ''}`;

/** What is in the form at first: the topic of the address, and the key that this tab was asked to keep. */
export function useFormValues() {
  const [values, setValues] = useState<FormValues>(() => {
    const before = sessionStorage.getItem(kept());
    return {
      topic: new URLSearchParams(location.search).get('topic') ?? '',
      count: '5',
      provider: 'provider_a',
      platform: '',
      voice: '',
      model: '',
      key: before ?? '',
      keepsKey: before !== null,
    };
  });
  const { key, keepsKey } = values;
  useEffect(() => {
    if (keepsKey && key !== '') sessionStorage.setItem(kept(), key);
    else sessionStorage.removeItem(kept());
  }, [key, keepsKey]);
  const change = (part: Partial<FormValues>) => setValues((now) => ({ ...now, ...part }));
  return { values, change };
}

export const COUNT_CHOICES: readonly FormValues['count'][] = COUNTS;
