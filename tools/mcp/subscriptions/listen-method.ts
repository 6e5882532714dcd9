/** How clients listen for changes, since revision 2026-07-28. */
export const LISTEN_METHOD = 'subscriptions/listen';
