/** Returns true where the page was opened on the computer that the gateway runs on, and not through the network. */
export const isAtGateway = (): boolean => /^(127\.|\[::1\]$|localhost$)/u.test(location.hostname);
