import { useEffect, useState } from 'react';

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

const KEPT = 'provider-key';

/** What is in the form at first: the topic of the address, and the key that this tab was asked to keep. */
export function useFormValues() {
  const [values, setValues] = useState<FormValues>(() => {
    const kept = sessionStorage.getItem(KEPT);
    return {
      topic: new URLSearchParams(location.search).get('topic') ?? '',
      count: '5',
      provider: 'provider_a',
      platform: '',
      voice: '',
      model: '',
      key: kept ?? '',
      keepsKey: kept !== null,
    };
  });
  const { key, keepsKey } = values;
  useEffect(() => {
    if (keepsKey && key !== '') sessionStorage.setItem(KEPT, key);
    else sessionStorage.removeItem(KEPT);
  }, [key, keepsKey]);
  const change = (part: Partial<FormValues>) => setValues((now) => ({ ...now, ...part }));
  return { values, change };
}

export const COUNT_CHOICES: readonly FormValues['count'][] = COUNTS;
