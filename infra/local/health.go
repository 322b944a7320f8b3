package main

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// checkHealth asks the server that LISTEN and PORT name, for container images without a shell.
func checkHealth(getenv func(string) string) error {
	config, err := configFrom(getenv, false)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{}, Timeout: 10 * time.Second} // without a proxy
	response, err := client.Get("http://" + net.JoinHostPort(config.listen, config.port) + "/api/health")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answers %s", response.Status)
	}
	return nil
}
