import './styles/modal.ts';
import { Modal, type ModalProps } from '@mantine/core';
import { useText } from '../i18n/text.ts';
import { useFocusReturn } from './focus.ts';

/** A window above the page, open for as long as it is drawn. When it closes, the focus is where it was before. */
export function Dialog(props: Omit<ModalProps, 'opened' | 'closeButtonProps'>) {
  const t = useText();
  useFocusReturn();
  return <Modal opened closeButtonProps={{ 'aria-label': t('action.close') }} {...props} />;
}
