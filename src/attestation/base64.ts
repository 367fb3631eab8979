/** The bytes of standard base64 text, or undefined unless the text is exactly how these bytes are written. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
