import { useState } from 'react';
import { ApiFault } from '../../api/fault.ts';
import type { Step } from './step.ts';

/** Tries to sign in, and goes to the question that the server asks next. */
export function useAttempt(setStep: (step: Step) => void, email: string) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault | null>(null);
  const attempt = async (work: () => Promise<'signed_in' | 'code_sent'>) => {
    setBusy(true);
    setFault(null);
    try {
      if ((await work()) === 'code_sent') setStep({ at: 'code', email });
    } catch (error) {
      if (!(error instanceof ApiFault)) return;
      if (error.code === 'second_factor_required')
        setStep({ at: 'second_factor', challenge: String(error.data['challenge']) });
      else setFault(error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, fault, attempt: (work: () => Promise<'signed_in' | 'code_sent'>) => void attempt(work) };
}
