export { verifyReceiptFile } from './wire/receipt-file.ts';
