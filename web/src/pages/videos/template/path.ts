/** The page of a video template. */
export const pathOf = (template: string) => `/videos/templates/${encodeURIComponent(template)}`;
