import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ApiFault } from './api/fault.ts';
import { styleNonce } from './csp-nonce.ts';
import { Routes } from './routes.tsx';
import { useEnding } from './session/ended.ts';
import { usePerson } from './session/session.ts';
import { cssVariables, theme } from './theme.ts';
import { colorScheme, useColorScheme } from './theme-choice.ts';

const SignInAgain = lazy(() =>
  import('./session/sign-in-again.tsx').then(({ SignInAgain: One }) => ({ default: One })),
);

const RETRIES = 2;

const newQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Only what may be different the next time: no answer, or a server that is busy.
        retry: (failures, error) =>
          failures < RETRIES && error instanceof ApiFault && (error.status === 0 || error.status === 503),
      },
    },
  });

/** The choice is kept by theme-choice.ts; Mantine only hears of it. */
const schemeManager = {
  get: colorScheme,
  set: () => {},
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => {},
};

export function App() {
  const scheme = useColorScheme();
  const endings = useEndings();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemeManager}
      forceColorScheme={scheme}
      getStyleNonce={styleNonce}
    >
      <Session key={endings} />
    </MantineProvider>
  );
}

/** How many people have left in this tab. */
function useEndings(): number {
  const person = usePerson();
  const [last, setLast] = useState({ person, endings: 0 });
  if (last.person !== person)
    setLast({ person, endings: last.endings + (last.person === undefined ? 0 : 1) });
  return last.endings;
}

/** What was read or typed belongs to one person: the next person in this browser begins with nothing. */
function Session() {
  const [queries] = useState(newQueries);
  const ending = useEnding();
  return (
    <QueryClientProvider client={queries}>
      <Routes />
      <Suspense>{ending && <SignInAgain isOver={ending.isOver} />}</Suspense>
    </QueryClientProvider>
  );
}
