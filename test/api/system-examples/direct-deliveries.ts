import { closeSide, makePartners, startDirectSide } from '../../setup/direct-partners.ts';
import { ManualClock, MINUTE } from '../../setup/manual-clock.ts';
import { Examples } from './examples.ts';

/** A document that a partner delivers directly, and the question whether it arrived. */
export async function callDirectDeliveries(x: Examples): Promise<void> {
  const clock = new ManualClock();
  const sender = await startDirectSide(
    { organization: 'North Clinic', faxNumber: '+12025550110' },
    { clock },
  );
  const recipient = await startDirectSide(
    { organization: 'South Pharmacy', faxNumber: '+12025550120' },
    { clock },
  );
  try {
    await makePartners(sender, recipient);
    recipient.proxy.faultOf = () => ({ kind: 'held' });
    await sender.gateway.send({ to: recipient.faxNumber });
    await sender.gateway.processAll();
    clock.advance(MINUTE);
    await sender.gateway.processAll();
    const [upload, question] = recipient.proxy.held;
    const parts = await new Response(upload?.body, {
      headers: { 'Content-Type': String(upload?.headers['content-type']) },
    }).formData();
    const of = await Examples.of(recipient.gateway, x.recorded);
    const form = Object.fromEntries(parts) as Record<string, string | File>;
    await of.call('receiveDirectDelivery', { key: null, form });
    const signed = ['key', 'time', 'signature'].map((name) => {
      const word = `${name[0]?.toUpperCase()}${name.slice(1)}`;
      return [`X-Direct-${word}`, String(question?.headers[`x-direct-${name}`])] as const;
    });
    await of.call('askDirectDelivery', {
      key: null,
      params: { message_id: question?.path.split('/').at(-1) ?? '' },
      headers: Object.fromEntries(signed),
    });
    await of.call('listDirectDeliveries');
  } finally {
    await closeSide(sender);
    await closeSide(recipient);
  }
}
