import type { Examples } from './examples.ts';

/** The card of the installation. */
export async function callDirect(x: Examples): Promise<void> {
  await x.gateway.set({
    DIRECT_DELIVERY_ENABLED: true,
    DIRECT_ORGANIZATION: 'Example Clinic',
    DIRECT_FAX_NUMBER: '+12025550100',
  });
  await x.call('getDirectCard');
  await x.call('rotateDirectKeys');
  await x.gateway.set({ DIRECT_DELIVERY_ENABLED: false });
}
