import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const marigold: MantineColorsTuple = [
  '#fff8e1',
  '#fff0c7',
  '#ffe299',
  '#ffd466',
  '#ffca47',
  '#ffc233',
  '#f0b118',
  '#b98400',
  '#7a5200',
  '#3a2800',
];
const ink: MantineColorsTuple = [
  '#eef4ef',
  '#b9c7bf',
  '#92a399',
  '#6f8278',
  '#34443c',
  '#243029',
  '#1d2823',
  '#18211d',
  '#111815',
  '#0a100d',
];

/** Every variant is drawn from tokens, so a component follows the theme without a second palette. */
const variantColorResolver: VariantColorsResolver = ({ variant, color }) => {
  const danger = color === 'red';
  const of = (background: string, hover: string, text: string, border: string) => ({
    background,
    hover,
    color: text,
    border: `1px solid ${border}`,
  });
  if (variant === 'filled')
    return danger
      ? of('var(--err-fill)', 'var(--err-fill)', 'var(--on-err)', 'transparent')
      : of('var(--mg)', 'var(--mg-hover)', 'var(--on-mg)', 'var(--mg-edge)');
  if (variant === 'light') return of('var(--mg-soft)', 'var(--mg-soft)', 'var(--mg-text)', 'transparent');
  if (variant === 'subtle' || variant === 'transparent')
    return of('transparent', 'var(--hover)', danger ? 'var(--err)' : 'var(--ink-2)', 'transparent');
  return of('var(--raise)', 'var(--hover)', danger ? 'var(--err)' : 'var(--ink)', 'var(--rule-2)');
};

export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--page)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-3)',
    '--mantine-color-placeholder': 'var(--ink-3)',
    '--mantine-color-error': 'var(--err)',
    '--mantine-color-anchor': 'var(--ink)',
    '--mantine-color-default': 'var(--raise)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--rule-2)',
    '--mantine-color-disabled': 'var(--raise)',
    '--mantine-color-disabled-color': 'var(--ink-3)',
    '--mantine-color-disabled-border': 'var(--rule)',
    '--mantine-font-family': 'var(--sans)',
    '--mantine-font-family-monospace': 'var(--mono)',
    '--mantine-primary-color-filled': 'var(--mg)',
    '--mantine-primary-color-filled-hover': 'var(--mg-hover)',
    '--mantine-primary-color-contrast': 'var(--on-mg)',
  };
  return { variables: {}, dark: shared, light: shared };
};

const field = { size: 'sm' } as const;

export const theme = createTheme({
  primaryColor: 'marigold',
  colors: { marigold, ink },
  variantColorResolver,
  autoContrast: true,
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: 'var(--sign)' },
  defaultRadius: 6,
  focusRing: 'never',
  respectReducedMotion: true,
  cursorType: 'pointer',
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '40px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  // Plain objects, not Button.extend(...): importing the components here would put all of them into the first download.
  components: {
    Button: { defaultProps: { variant: 'default', size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 32 } },
    TextInput: { defaultProps: field },
    PasswordInput: { defaultProps: field },
    NativeSelect: { defaultProps: field },
    Input: { defaultProps: field },
    Textarea: { defaultProps: { ...field, autosize: true, minRows: 2 } },
    Select: { defaultProps: { ...field, allowDeselect: false, checkIconPosition: 'right' } },
    SegmentedControl: { defaultProps: { size: 'xs', withItemsBorders: false } },
    Switch: { defaultProps: { size: 'sm', withThumbIndicator: false } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 10,
        overlayProps: { color: 'var(--shade)', backgroundOpacity: 1 },
        transitionProps: { transition: 'fade', duration: 140 },
      },
    },
    Skeleton: { defaultProps: { radius: 3 } },
    Kbd: { defaultProps: { size: 'xs' } },
  },
});
