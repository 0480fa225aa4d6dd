export { type VerifiedReceipt, verifyReceiptFile } from './wire/receipt-file.ts';
