/** The path of a request's target. Unlike `new URL`, it takes whatever a client may send: `//` is no URL. */
export const pathOf = (target: string | undefined): string => (target ?? '/').split('?', 1)[0] ?? '/';
