/** Whether a text is one of Kubernetes' policies for pulling an image. */
export function isPullPolicy(text: string | undefined): text is 'Always' | 'IfNotPresent' | 'Never' {
  return text === 'Always' || text === 'IfNotPresent' || text === 'Never';
}
