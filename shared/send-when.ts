/** Hours in which a fax may be sent: at any time, in the cheap hours of the installation, or in the hours of the recipient's contact. */
export const SEND_WHEN = ['now', 'cheap_hours', 'recipient_hours'] as const;
export type SendWhen = (typeof SEND_WHEN)[number];
