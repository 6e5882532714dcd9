import './styles/layers.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import '@mantine/core/styles/Loader.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Button.layer.css';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/ledger.css';
import './styles/blocks.css';
import './styles/mantine.css';
// Of Today, where most visits begin: as files of their own, a phone would wait for each.
import './pages/today/today.module.css';
import './pages/videos/video-card.module.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { styleNonce } from './csp-nonce.ts';
import { restoreLanguage } from './i18n/language.ts';
import { loadAhead } from './routes.tsx';
import { restoreTheme } from './theme-choice.ts';

// Where the package that keeps a page from scrolling under a dialog looks for the nonce of its style sheet.
Reflect.set(globalThis, '__webpack_nonce__', styleNonce());
restoreTheme();
// One after the other, each would wait for a phone's network again.
const beginning = Promise.all([loadAhead(location.pathname), restoreLanguage()]);
void beginning.then(() => {
  const root = document.getElementById('root');
  if (root) createRoot(root).render(<App />);
});
