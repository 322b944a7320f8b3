package dynamotest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Call calls the DynamoDB at an endpoint, with a body and an answer in its own
// JSON. answer may be nil. DynamoDB Local looks at a signature only for its form.
func Call(client *http.Client, endpoint, operation string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, endpoint, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20000101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=none")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err == nil && answer != nil {
		err = json.Unmarshal(content, answer)
	}
	if err != nil || response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %d %v %s", operation, response.StatusCode, err, content)
	}
	return nil
}
