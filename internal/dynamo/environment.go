package dynamo

import "turnout/internal/environment"

// ConfigFrom reads the Config from the environment.
func ConfigFrom(env *environment.Variables) Config {
	return Config{
		Table:           env.Required("TABLE_NAME"),
		Region:          env.Required("AWS_REGION"),
		AccessKeyID:     env.Required("AWS_ACCESS_KEY_ID"),
		SecretAccessKey: env.Required("AWS_SECRET_ACCESS_KEY"),
		SessionToken:    env.Optional("AWS_SESSION_TOKEN", ""),
		Endpoint:        env.URL("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:8000"),
	}
}
